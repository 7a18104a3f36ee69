-- The field's word for asking a bank again how a challenge stands.
alter table sessions rename column look_after to poll_after;
