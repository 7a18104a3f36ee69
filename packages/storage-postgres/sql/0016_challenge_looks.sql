-- When a bank may be asked again how a challenge stands that a customer looks at. Whoever moves it on asks: never two at once.
alter table sessions add column look_after timestamptz;
