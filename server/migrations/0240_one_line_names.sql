-- A name is one line: with a line break in it, it could look like a line of a document that quotes it.
update agent
set display_name = coalesce(nullif(btrim(regexp_replace(display_name, '[\u0001-\u001f\u007f-\u009f\u2028\u2029]+', ' ', 'g')), ''), username),
    name = coalesce(nullif(btrim(regexp_replace(name, '[\u0001-\u001f\u007f-\u009f\u2028\u2029]+', ' ', 'g')), ''), username)
where display_name || name ~ '[\u0001-\u001f\u007f-\u009f\u2028\u2029]';
