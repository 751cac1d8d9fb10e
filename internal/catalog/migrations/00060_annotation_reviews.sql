-- Who completed an item, and who has it open: until leased_until, in milliseconds of the clock by which leases are measured, nobody else
-- gets it. Users may be gone; their ids stay.
ALTER TABLE annotation_queue_items ADD COLUMN completed_by TEXT;
ALTER TABLE annotation_queue_items ADD COLUMN leased_by TEXT;
ALTER TABLE annotation_queue_items ADD COLUMN leased_until BIGINT;
CREATE INDEX annotation_queue_items_leased ON annotation_queue_items (queue_id, leased_until) WHERE leased_until IS NOT NULL;

-- Items that somebody does not want to review now. They come back when this person has nothing else to review; others still get them.
CREATE TABLE annotation_queue_skips (
    item_id    TEXT   NOT NULL REFERENCES annotation_queue_items (id) ON DELETE CASCADE,
    user_id    TEXT   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    reason     TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (item_id, user_id)
);
CREATE INDEX annotation_queue_skips_user ON annotation_queue_skips (user_id);
