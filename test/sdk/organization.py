"""Manages an organization with the official Python client: its projects, keys, members, and users over SCIM."""

import os
import sys

import httpx
from langfuse import Langfuse
from langfuse.api import MembershipRole, ScimName

base_url = os.environ["ALMANAC_URL"]
keys = (os.environ["ALMANAC_ORGANIZATION_PUBLIC_KEY"], os.environ["ALMANAC_ORGANIZATION_SECRET_KEY"])
api = Langfuse(public_key=keys[0], secret_key=keys[1], base_url=base_url, tracing_enabled=False).api

projects = api.organizations.get_organization_projects().projects
assert [p.name for p in projects] == ["My project"], projects
organization_keys = api.organizations.get_organization_api_keys().api_keys
assert [k.public_key for k in organization_keys] == [keys[0]], organization_keys

assert api.scim.get_service_provider_config().filter.max_results == 100
assert api.scim.get_resource_types().resources[0].id == "User"
assert api.scim.get_schemas().resources[0].name == "User"

ada = api.scim.create_user(user_name="Ada@Example.org", name=ScimName(formatted="Ada Lovelace"), password="ignored")
assert ada.user_name == "ada@example.org" and ada.name.formatted == "Ada Lovelace" and ada.emails[0].primary, ada
assert api.scim.get_user(ada.id).id == ada.id
found = api.scim.list_users(filter='userName eq "ada@example.org"', start_index=1, count=10)
assert found.total_results == 1 and found.resources[0].id == ada.id, found

member = api.organizations.update_organization_membership(user_id=ada.id, role=MembershipRole.MEMBER)
assert member.role == MembershipRole.MEMBER and member.email == "ada@example.org", member
in_project = api.organizations.update_project_membership(projects[0].id, user_id=ada.id, role=MembershipRole.ADMIN)
assert in_project.role == MembershipRole.ADMIN, in_project
assert [m.user_id for m in api.organizations.get_project_memberships(projects[0].id).memberships] == [ada.id]
assert api.organizations.delete_project_membership(projects[0].id, user_id=ada.id).user_id == ada.id
assert [m.role for m in api.organizations.get_organization_memberships().memberships] == [MembershipRole.MEMBER]
assert api.organizations.delete_organization_membership(user_id=ada.id).user_id == ada.id
assert api.organizations.get_organization_memberships().memberships == []

try:
    api.scim.get_user(ada.id)
except Exception as error:
    assert type(error).__name__ == "NotFoundError", repr(error)
    assert error.body["detail"] == "User not found" and error.body["status"] == 404, error.body
else:
    sys.exit("somebody who is no member was found")

# As identity providers talk: their own content type, activation by PATCH, deletion without a body.
scim = httpx.Client(base_url=base_url + "/api/public/scim", auth=keys, headers={"Content-Type": "application/scim+json"})


def activate(active):
    body = '{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[{"op":"replace","value":{"active":%s}}]}'
    return scim.patch("/Users/" + ada.id, content=body % ("true" if active else "false"))


for active in (True, False, True):
    answer = activate(active)
    assert answer.status_code == 200 and answer.json()["active"] is active, answer.text
    assert answer.headers["content-type"].startswith("application/scim+json"), answer.headers
removed = scim.delete("/Users/" + ada.id)
assert removed.status_code == 204 and removed.content == b"", removed
assert scim.get("/Users/" + ada.id).status_code == 404

# The administrator of the instance.
admin = httpx.Client(base_url=base_url + "/api/admin", headers={"Authorization": "Bearer " + os.environ["ALMANAC_ADMIN"]})
created = admin.post("/organizations", json={"name": "Research"})
assert created.status_code == 201, created.text
organization = "/organizations/" + created.json()["id"]
pair = admin.post(organization + "/apiKeys", json={"note": "terraform"}).json()
other = Langfuse(public_key=pair["publicKey"], secret_key=pair["secretKey"], base_url=base_url, tracing_enabled=False).api
assert other.organizations.get_organization_projects().projects == []
assert other.projects.create(name="First", retention=0).organization.name == "Research"
assert admin.delete(organization).status_code == 400
assert len(admin.get("/organizations").json()["organizations"]) == 2

print("ok")
