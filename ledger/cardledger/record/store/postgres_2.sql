-- Names, kept apart from events: what leads from version 1 to 2, in one transaction, and is run after postgres.sql.

-- `text` is the text as JSON. For an erased person it is the pseudonym that stands for them, and `salt` is empty.
CREATE TABLE names (
    pseudonym text COLLATE "C" PRIMARY KEY,
    kind text COLLATE "C" NOT NULL,
    text text COLLATE "C" NOT NULL,
    salt bytea NOT NULL
);
-- By the hash of a text: texts may be longer than what an index takes.
CREATE INDEX names_text ON names (kind, md5(text));
COMMENT ON TABLE events IS 'cardledger 2';

-- Who stores events with names holds this lock with others, who erases holds it alone: so nobody stores what is erased at
-- that moment. Two keys, as those of one are the locks of positions.
CREATE FUNCTION erasure_lock() RETURNS integer LANGUAGE sql STABLE AS $$ SELECT 'names'::regclass::oid::integer $$;

-- Keeps names, each unless it is known or was erased.
CREATE FUNCTION learn_names(pseudonyms text[], kinds text[], texts text[], salts bytea[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(erasure_lock(), 0);
    INSERT INTO names (pseudonym, kind, text, salt)
        SELECT * FROM unnest(pseudonyms, kinds, texts, salts) AS new (pseudonym, kind, text, salt)
        WHERE NOT EXISTS (SELECT FROM names AS old WHERE old.pseudonym = new.pseudonym)
        ORDER BY new.pseudonym COLLATE "C"
        ON CONFLICT DO NOTHING;
END $$;

-- Stores events together with names; none of the pseudonyms `used` may have been erased.
CREATE FUNCTION append_named(
    matches text, seqs text, lines text, hashes bytea, before text, seqs_before text, wanted text,
    pseudonyms text[], kinds text[], texts text[], salts bytea[], used text[]
) RETURNS bigint[] LANGUAGE plpgsql AS $$
BEGIN
    PERFORM learn_names(pseudonyms, kinds, texts, salts);
    PERFORM FROM names WHERE pseudonym = ANY (used) AND kind = 'erased';
    IF FOUND THEN
        RAISE SQLSTATE 'CARD1' USING MESSAGE = 'somebody was erased';
    END IF;
    RETURN append_events(matches, seqs, lines, hashes, before, seqs_before, wanted);
END $$;

-- Erases names: `texts` are the pseudonyms that stand for them from then on. Comes before `append_named`.
CREATE FUNCTION erase_names(pseudonyms text[], texts text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(erasure_lock(), 0);
    DELETE FROM names WHERE pseudonym = ANY (pseudonyms);
    INSERT INTO names (pseudonym, kind, text, salt)
        SELECT new.pseudonym, 'erased', new.text, '' FROM unnest(pseudonyms, texts) AS new (pseudonym, text);
END $$;
