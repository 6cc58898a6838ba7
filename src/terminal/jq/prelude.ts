/** Functions of jq that are written in jq. */
export const PRELUDE = `
def values: select(. != null);
def nulls: select(. == null);
def booleans: select(type == "boolean");
def numbers: select(type == "number");
def strings: select(type == "string");
def arrays: select(type == "array");
def objects: select(type == "object");
def iterables: select(type == "array" or type == "object");
def scalars: select(type != "array" and type != "object");
def select(f): if f then . else empty end;
def map(f): [.[] | f];
def map_values(f): .[] |= f;
def recurse: ..;
def recurse_down: ..;
def to_entries: [keys_unsorted[] as $k | {key: $k, value: .[$k]}];
def with_entries(f): to_entries | map(f) | from_entries;
def paths: path(..) | select(length > 0);
def paths(f): path(.. | select(f)) | select(length > 0);
def leaf_paths: paths(scalars);
def del(f): delpaths([path(f)]);
def any: any(.[]; .);
def all: all(.[]; .);
def any(f): any(.[]; f);
def all(f): all(.[]; f);
def any(g; f): isempty(first(g | f | select(.))) | not;
def all(g; f): isempty(first(g | f | select(. | not)));
def isempty(g): label $go | (g | false, break $go), true | first(.);
def in(xs): . as $x | xs | has($x);
def inside(xs): . as $x | xs | contains($x);
def first: .[0];
def last: .[-1];
def first(f): label $out | (f | ., break $out);
def last(f): reduce f as $x (null; $x);
def nth($n): .[$n];
def nth($n; f): if $n < 0 then error("Out of bounds negative array index") else last(limit($n + 1; f)) end;
def limit($n; f): if $n <= 0 then empty else label $out | foreach f as $x (0; . + 1; $x, if . >= $n then break $out else empty end) end;
def range($n): range(0; $n);
def range($from; $to): range($from; $to; 1);
def flatten: flatten(1e9);
def add(f): [f] | add;
def join($s): reduce .[] as $x (null; (if . == null then "" else . + $s end) + ($x | if . == null then "" elif type == "string" then . else tojson end)) // "";
def ascii: [.] | implode;
def scalars_or_empty: select(if type == "array" or type == "object" then length == 0 else true end);
def bsearch($target): . as $list
  | if type != "array" then .[0] else
      {low: 0, high: length}
      | until(.low >= .high; ((.low + .high) / 2 | floor) as $mid
          | if $list[$mid] < $target then .low = $mid + 1 else .high = $mid end)
      | .low as $at
      | if $at < ($list | length) and $list[$at] == $target then $at else -1 - $at end
    end;
def truncate_stream(stream): . as $depth | null | stream | select(.[0] | length > $depth) | .[0] |= .[$depth:];
def fromstream(stream):
  foreach stream as $event ({};
    (if .done then {} else . end)
    | if $event | length == 2 then
        .value = ({value} | setpath(["value"] + $event[0]; $event[1]) | .value) | .done = ($event[0] | length == 0)
      else .done = ($event[0] | length == 1) end;
    select(.done) | .value);
def JOIN($index; id): [.[] | [., $index[id]]];
def JOIN($index; stream; id): stream | [., $index[id]];
def JOIN($index; stream; id; join): stream | [., $index[id]] | join;
def todate: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdate: fromdateiso8601;
def date: todate;
def todateiso8601: todate;
def capture(re): capture(re; null);
def capture(re; flags): match(re; flags) | [.captures[] | select(.name != null) | {key: .name, value: .string}] | from_entries;
def test(re): test(re; null);
def match(re): match(re; null);
def scan(re): scan(re; null);
def scan(re; $flags): match(re; "g" + $flags) | if (.captures | length) > 0 then [.captures[].string] else .string end;
def splits(re): splits(re; null);
def splits(re; flags): split(re; flags) | .[];
def split(re; $flags): . as $s
  | [match(re; "g" + $flags) | [.offset, .length]] as $ms
  | [range(0; ($ms | length) + 1) as $i | $s[(if $i == 0 then 0 else $ms[$i - 1][0] + $ms[$i - 1][1] end):(if $i == ($ms | length) then null else $ms[$i][0] end)]];
def sub(re; str): sub(re; str; "");
def gsub(re; str): sub(re; str; "g");
def gsub(re; str; $flags): sub(re; str; $flags + "g");
def sub(re; str; $flags): . as $in | (reduce (match(re; $flags)) as $m ({at: 0, out: ""};
  .out += $in[.at:$m.offset] + ($m | [.captures[] | select(.name != null) | {key: .name, value: .string}] | from_entries | str)
  | .at = $m.offset + $m.length)) | .out + $in[.at:];
def ascii_downcase: explode | map(if 65 <= . and . <= 90 then . + 32 else . end) | implode;
def ascii_upcase: explode | map(if 97 <= . and . <= 122 then . - 32 else . end) | implode;
def walk(f): def w: if type == "object" then map_values(w) elif type == "array" then map(w) else . end | f; w;
def env: $ENV;
def transpose: if . == [] then [] else . as $in | (map(length) | max) as $max | [range(0; $max) as $j | [range(0; $in | length) as $i | $in[$i][$j]]] end;
def combinations: if length == 0 then [] else .[0][] as $x | (.[1:] | combinations) as $w | [$x] + $w end;
def combinations(n): . as $dot | [range(n)] | map($dot) | combinations;
def unique: unique_by(.);
def sort: sort_by(.);
def min: min_by(.);
def max: max_by(.);
def group_by(f): _group(map([f]));
def unique_by(f): [_group(map([f]))[] | .[0]];
def sort_by(f): _sort(map([f]));
def min_by(f): _extreme(map([f]); false);
def max_by(f): _extreme(map([f]); true);
def index($i): indices($i) | .[0];
def rindex($i): indices($i) | .[-1:][0];
def indices($i): if . == null then null elif type == "string" then _indices($i) elif ($i | type) == "array" then .[$i] else .[[$i]] end;
def IN(s): any(s == .; .);
def IN(src; s): any(src == s; .);
def INDEX(stream; f): [stream | {key: (f | tostring), value: .}] | from_entries;
def INDEX(f): INDEX(.[]; f);
def tostream: path(def r: (.[]? | r), .; r) as $p | getpath($p) | reduce path(.[]?) as $q ([$p, .]; [$p + $q]);
def fromjson: _parse;
def toarray: if type == "array" then . else [.] end;
def pick(f): . as $top | reduce path(f) as $p (null; setpath($p; $top | getpath($p)));
def abs: if type == "number" and . < 0 then -. else . end;
def debug(m): .;
def halt_error: halt_error(5);
def finites: select(isinfinite or isnan | not);
def normals: select(isnormal);
`;
