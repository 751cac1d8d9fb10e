-- Views of tables that people keep: one's own, and without an owner those of the whole project. state is what the address of the
-- table says, as JSON.
CREATE TABLE saved_views (
    id         TEXT    NOT NULL PRIMARY KEY,
    project_id TEXT    NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    owner_id   TEXT    REFERENCES users (id) ON DELETE CASCADE,
    table_name TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    state      TEXT    NOT NULL,
    is_default BOOLEAN NOT NULL,
    created_at BIGINT  NOT NULL,
    updated_at BIGINT  NOT NULL
);
CREATE INDEX saved_views_project ON saved_views (project_id, owner_id);
CREATE INDEX saved_views_owner ON saved_views (owner_id);

-- Which view somebody begins with; is_default of a view of the project is for those who chose none.
CREATE TABLE default_views (
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    table_name TEXT NOT NULL,
    view_id    TEXT NOT NULL REFERENCES saved_views (id) ON DELETE CASCADE,
    PRIMARY KEY (project_id, user_id, table_name)
);
CREATE INDEX default_views_view ON default_views (view_id);
CREATE INDEX default_views_user ON default_views (user_id);
