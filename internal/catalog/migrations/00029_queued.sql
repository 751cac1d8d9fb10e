-- Whether something is in a queue is asked for each time an annotator reads it.
CREATE INDEX annotation_queue_items_object ON annotation_queue_items (queue_id, object_type, object_id);
