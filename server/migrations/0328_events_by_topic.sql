-- @beside 0.1.0
-- @concurrently
-- Most events are notifications, which are found by whom they are for: nobody reads all of them by their topic.
create index concurrently if not exists event_of_topic on event (topic, id) where topic <> 'notifications';
drop index concurrently if exists event_by_topic;
