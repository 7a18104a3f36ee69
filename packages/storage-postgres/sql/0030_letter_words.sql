-- The words of a letter as `searchKey` of @org/core makes them of what is typed: letters that Unicode takes for letters of their own are
-- found by what people type for them, `ß` by `ss` and `ø` by `o`.
create or replace function letter_words(p_letter_id uuid, p_connector_id text, p_labels jsonb, p_contact_info jsonb, p_observations text)
returns tsvector
language plpgsql immutable parallel safe
as $$
declare
  said text := lower(concat_ws(' ', p_letter_id::text, p_connector_id, p_observations, p_labels::text, p_contact_info::text));
begin
  if octet_length(said) <> length(said) then
    said := regexp_replace(lower(normalize(said, NFKD)), U&'[\0300-\036f]', '', 'g');
    said := replace(replace(replace(replace(said, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
    said := translate(said, 'øđðłħŧŋıĸς’‘ʼ‐‑–—', 'oddlhtnikσ       ');
  end if;
  -- How JSON writes the ends of lines, and then every other sign.
  said := replace(replace(replace(said, '\n', ' '), '\r', ' '), '\t', ' ');
  return to_tsvector('pg_catalog.simple', translate(said, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)));
end
$$;
reindex index letters_by_words;
