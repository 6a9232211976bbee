-- The ledger in PostgreSQL: what is run once, in one transaction, in the schema that is to hold it.

CREATE TABLE events (
    match text COLLATE "C" NOT NULL,
    seq integer NOT NULL,
    position bigint NOT NULL,
    line text NOT NULL,
    hash bytea NOT NULL
) PARTITION BY HASH (match);
COMMENT ON TABLE events IS 'cardledger 1';

-- Given out before commit, so there are gaps; the last one given is 0 as long as there are no events.
CREATE SEQUENCE positions AS bigint MINVALUE 0 START 0;
SELECT nextval('positions');

-- Lines are canonical JSON; for people who look with other tools, a view shows what they say as columns. JSON may hold
-- a NUL in a text, which PostgreSQL's may not: it is shown as a blank.
CREATE VIEW log AS SELECT
    position, match, seq,
    said ->> 'type' AS type, said ->> 'at' AS at, said ->> 'by' AS by,
    said ->> 'seat' AS seat, said ->> 'card' AS card, line, encode(hash, 'hex') AS hash
    FROM events, LATERAL (SELECT replace(line, '\u0000', '\u0020')::json AS said) AS read;

CREATE FUNCTION events_are_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'events are never changed or deleted';
END $$;
CREATE TRIGGER events_are_final BEFORE UPDATE OR DELETE OR TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION events_are_final();

-- Keys are the partitions' own: a table with a key of its own can have no partition on another server.
DO $$
BEGIN
    FOR i IN 0 .. 15 LOOP
        EXECUTE format('CREATE TABLE events_%s PARTITION OF events (PRIMARY KEY (match, seq))
            FOR VALUES WITH (MODULUS 16, REMAINDER %s)', i, i);
        EXECUTE format('CREATE INDEX ON events_%s (position)', i);
        EXECUTE format('CREATE INDEX ON events_%s (position) INCLUDE (match) WHERE seq = 1', i);
        EXECUTE format('CREATE TRIGGER events_are_final BEFORE UPDATE OR DELETE OR TRUNCATE ON events_%s
            FOR EACH STATEMENT EXECUTE FUNCTION events_are_final()', i);
    END LOOP;
END $$;

-- The key of the advisory lock of a writer that will store positions above `low` only. Which ledger of this database
-- it is about is in the upper 16 bits, so that one does not wait for another.
CREATE FUNCTION position_lock(low bigint) RETURNS bigint LANGUAGE sql STABLE AS
    $$ SELECT (('positions'::regclass::oid::bigint & 32767) << 48) | low $$;

-- Stores events: matches and lines apart by line breaks, seqs by commas, hashes as they are, 32 bytes each. Of a match
-- in `before` the event `seqs_before` has to be there already; the new ones may not. Returns the positions of the
-- events that `wanted` counts from 1.
CREATE FUNCTION append_events(
    matches text, seqs text, lines text, hashes bytea, before text, seqs_before text, wanted text
) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
    known text[] := string_to_array(before, E'\n');
    known_seqs integer[] := string_to_array(seqs_before, ',');
    given bigint[];
BEGIN
    FOR i IN 1 .. cardinality(known) LOOP
        PERFORM FROM events WHERE match = known[i] AND seq = known_seqs[i];
        IF NOT FOUND THEN
            RAISE unique_violation USING MESSAGE = 'a match is not as far as expected';
        END IF;
    END LOOP;
    -- First the lock, then the positions: see safe_position.
    PERFORM pg_advisory_xact_lock_shared(position_lock(last_value)) FROM positions;
    given := ARRAY(SELECT nextval('positions') FROM generate_series(1, length(hashes) / 32));
    -- In one order for all, so that two who store the same matches do not wait for each other.
    INSERT INTO events (match, seq, position, line, hash)
        SELECT new.match, new.seq, new.position, new.line, substring(hashes FROM (new.n * 32 - 31)::integer FOR 32)
        FROM unnest(
            string_to_array(matches, E'\n'), string_to_array(seqs, ',')::integer[], given, string_to_array(lines, E'\n')
        ) WITH ORDINALITY AS new (match, seq, position, line, n)
        ORDER BY new.match COLLATE "C", new.seq;
    RETURN ARRAY(SELECT given[n] FROM unnest(string_to_array(wanted, ',')::integer[]) AS n);
END $$;

-- The position up to which all is visible that ever will be, to every statement that begins after this one.
CREATE FUNCTION safe_position() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    latest bigint;
    held bigint;
BEGIN
    -- First this, then the locks.
    SELECT last_value INTO latest FROM positions;
    SELECT min((classid::bigint & 65535) << 32 | objid::bigint) INTO held FROM pg_locks
        WHERE locktype = 'advisory' AND granted AND objsubid = 1
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND classid::bigint >> 16 = position_lock(0) >> 48;
    RETURN least(latest, held);
END $$;
