"""Uses the official Python client as an application would: credentials right, wrong, and absent."""

import os
import sys

from langfuse import Langfuse

base_url = os.environ["ALMANAC_URL"]
public_key = os.environ["ALMANAC_PUBLIC_KEY"]
secret_key = os.environ["ALMANAC_SECRET_KEY"]


def client(public, secret):
    # Exporting spans is not what this checks.
    return Langfuse(public_key=public, secret_key=secret, base_url=base_url, tracing_enabled=False)


good = client(public_key, secret_key)
assert good.auth_check() is True, "auth_check with the right keys"

projects = good.api.projects.get()
assert len(projects.data) == 1, projects
project = projects.data[0]
assert project.name == "My project", project
assert project.organization.name == "My organization", project
assert project.metadata == {}, project

health = good.api.health.health()
assert health.status == "OK", health
assert tuple(int(n) for n in health.version.split(".")) >= (4, 55, 0), health

try:
    wrong = client("pk-lf-wrong", secret_key)
    wrong.api.projects.get()
except Exception as error:
    assert type(error).__name__ == "UnauthorizedError", repr(error)
    assert error.status_code == 401, repr(error)
    assert error.body == {"message": "Invalid credentials. Confirm that you've configured the correct host."}, error.body
else:
    sys.exit("wrong keys were accepted")

# The organization's key manages projects and their keys.
organization = client(os.environ["ALMANAC_ORGANIZATION_PUBLIC_KEY"], os.environ["ALMANAC_ORGANIZATION_SECRET_KEY"])
created = organization.api.projects.create(name="From Python", metadata={"team": "a"}, retention=30)
assert created.metadata == {"team": "a"} and created.retention_days == 30, created
updated = organization.api.projects.update(created.id, name="Renamed", retention=0)
assert updated.name == "Renamed" and updated.metadata == {"team": "a"}, updated
key = organization.api.projects.create_api_key(created.id, note="for python")
assert client(key.public_key, key.secret_key).auth_check() is True
listed = organization.api.projects.get_api_keys(created.id)
assert [k.note for k in listed.api_keys] == ["for python"], listed
assert listed.api_keys[0].display_secret_key != key.secret_key
assert organization.api.projects.delete_api_key(created.id, listed.api_keys[0].id).success is True
assert organization.api.projects.delete(created.id).success is True

try:
    organization.api.projects.update("no-such-project", name="Renamed", retention=0)
except Exception as error:
    assert type(error).__name__ == "NotFoundError", repr(error)
else:
    sys.exit("an unknown project was updated")

print("ok")
