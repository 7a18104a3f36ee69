-- Which connection a letter had at each of its moves: an ended letter has none any more, and operators ask which one it was. No
-- reference: the connection goes with the letter.
alter table letter_moves add column connection_id uuid;
