-- The most that a term says of a passage of a collection, by all settings under which anything that may still stand in it was filed. A search
-- leaves out words by this bound, so it does not fall with settings that are declared later: what was filed before keeps its scores. A
-- rebuild files all of it anew, and sets it to what the settings of now give.
alter table countersign.collection add column most_of_term float8 check (most_of_term >= 0);
-- In whole thousandths, before the rarity of the term. Of what was filed under settings of before nothing else is known; a rebuild makes it exact.
update countersign.collection set most_of_term = 1000 * (k1 + 1) * (1 + window_weight + section_weight);
alter table countersign.collection alter column most_of_term set not null;
