-- What a document shows of a signature; nothing was looked for before.
alter table letter_documents add column signature text collate "C" not null default 'none'
  check (signature in ('none', 'present', 'intact'));
alter table letter_documents alter column signature drop default;
