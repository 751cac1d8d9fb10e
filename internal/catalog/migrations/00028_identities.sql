-- Whom an identity provider vouches for. A subject is somebody for ever; a user is one subject of an issuer at most.
CREATE TABLE identities (
    issuer       TEXT   NOT NULL,
    subject      TEXT   NOT NULL,
    user_id      TEXT   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL,
    PRIMARY KEY (issuer, subject),
    UNIQUE (issuer, user_id)
);
CREATE INDEX identities_user ON identities (user_id);
