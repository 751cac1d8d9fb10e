-- What an organization knows of a person, and whether the person agreed to belong to it. Roles of people who have not
-- agreed are stored but have no effect. The row outlives the membership, so that who is deactivated and activated again
-- need not agree twice.
CREATE TABLE organization_people (
    organization_id TEXT    NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    user_id         TEXT    NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    accepted_at     BIGINT,
    -- Nobody used the account when the organization added it: whoever first proves that the address is theirs agrees.
    at_first_use    INTEGER NOT NULL DEFAULT 0,
    -- Whether the organization named the person by their address, and by which name. It sees no more until they agree.
    knows_address   INTEGER NOT NULL DEFAULT 0,
    name            TEXT    NOT NULL DEFAULT '',
    created_at      BIGINT  NOT NULL,
    PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX organization_people_user ON organization_people (user_id);
INSERT INTO organization_people (organization_id, user_id, accepted_at, knows_address, created_at)
    SELECT organization_id, user_id, created_at, 1, created_at FROM organization_memberships;

-- Links are bound to what the account was, and to who made them: nobody, if the owner of the address asked. Those that
-- are not end here.
DROP TABLE password_resets;
CREATE TABLE password_resets (
    token_hash      TEXT    NOT NULL PRIMARY KEY,
    user_id         TEXT    NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    made_by         TEXT    REFERENCES users (id) ON DELETE CASCADE,
    organization_id TEXT    REFERENCES organizations (id) ON DELETE CASCADE,
    -- Whether only the owner of the address can have the link, since it was mailed and not shown.
    mailed          INTEGER NOT NULL DEFAULT 0,
    account_state   TEXT    NOT NULL DEFAULT '',
    created_at      BIGINT  NOT NULL,
    expires_at      BIGINT  NOT NULL
);
CREATE INDEX password_resets_user ON password_resets (user_id);

-- The key that signs URLs is derived from the encryption key.
DROP TABLE media_signing_key;
