/**
 * The grammars of names. Each check returns its errors; an empty list means that the text is valid. The number of
 * errors matters: each becomes a separate cause.
 */
import { utf8Length } from '../../std/index.ts';

export type Complaints = readonly string[];

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const SERVICE_LABEL = '[a-z]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${QUALIFIED})?`;
const ENV_NAME = '[-._a-zA-Z][-._a-zA-Z0-9]*';
const C_IDENTIFIER = '[A-Za-z_][A-Za-z0-9_]*';
const CONFIG_KEY = '[-._a-zA-Z0-9]+';
const HTTP_HEADER = '[-A-Za-z0-9]+';

interface Grammar {
  readonly pattern: RegExp;
  readonly max?: number;
  readonly complaint: string;
}

function grammar(words: string, format: string, examples: readonly string[], max?: number): Grammar {
  // Two spaces before each "or", as the reference puts them.
  const shown = examples.length === 0 ? '' : `e.g. ${examples.map((e) => `'${e}', `).join(' or ')}`;
  const complaint = `${words} (${shown}regex used for validation is '${format}')`;
  return { pattern: new RegExp(`^(?:${format})$`), complaint, ...(max === undefined ? {} : { max }) };
}

const GRAMMARS = {
  label: grammar(
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
    LABEL,
    ['my-name', '123-abc'],
    63,
  ),
  subdomain: grammar(
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    SUBDOMAIN,
    ['example.com'],
    253,
  ),
  serviceLabel: grammar(
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
    SERVICE_LABEL,
    ['my-name', 'abc-123'],
    63,
  ),
  wildcard: grammar(
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
    `\\*\\.${SUBDOMAIN}`,
    ['*.example.com'],
    253,
  ),
  labelValue: grammar(
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    LABEL_VALUE,
    ['MyValue', 'my_value', '12345'],
    63,
  ),
  envName: grammar(
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
    ENV_NAME,
    ['my.env-name', 'MY_ENV.NAME', 'MyEnvName1'],
  ),
  cIdentifier: grammar(
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
    C_IDENTIFIER,
    ['my_name', 'MY_NAME', 'MyName'],
  ),
  configKey: grammar(
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
    CONFIG_KEY,
    ['key.name', 'KEY_NAME', 'key-name'],
    253,
  ),
  httpHeader: grammar("a valid HTTP header must consist of alphanumeric characters or '-'", HTTP_HEADER, [
    'X-Header-Name',
  ]),
  percent: grammar("a valid percent string must be a numeric string followed by an ending '%'", '[0-9]+%', [
    '1%',
    '93%',
  ]),
} as const satisfies Record<string, Grammar>;

const qualifiedName = grammar(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  QUALIFIED,
  ['MyName', 'my.name', '123-abc'],
);

const tooLong = (max: number): string => `must be no more than ${max} characters`;
const EMPTY = 'must be non-empty';

const NO_COMPLAINTS: Complaints = [];
/** The maximum number and length of valid texts in the cache: the same names recur with each write. */
const [MOST_FINE, LONGEST_FINE] = [2000, 63];

function remembering(complain: (text: string) => Complaints): (text: string) => Complaints {
  const fine = new Set<string>();
  return (text) => {
    if (fine.has(text)) return NO_COMPLAINTS;
    const found = complain(text);
    if (found.length > 0 || text.length > LONGEST_FINE) return found;
    if (fine.size >= MOST_FINE) fine.clear();
    fine.add(text);
    return NO_COMPLAINTS;
  };
}

function check(text: string, { pattern, max, complaint }: Grammar): Complaints {
  const errors = max !== undefined && utf8Length(text) > max ? [tooLong(max)] : [];
  return pattern.test(text) ? errors : [...errors, complaint];
}

/** A DNS label as RFC 1123 has it, in lower case: 63 characters at most. */
export const checkLabel = remembering((text) => check(text, GRAMMARS.label));
/** DNS labels joined by dots: 253 characters at most. */
export const checkSubdomain = remembering((text) => check(text, GRAMMARS.subdomain));
/** A DNS label that starts with a letter, as names of services have to. */
export const checkServiceLabel = (text: string): Complaints => check(text, GRAMMARS.serviceLabel);
/** A subdomain behind `*.`. */
export const checkWildcardSubdomain = (text: string): Complaints => check(text, GRAMMARS.wildcard);
export const checkLabelValue = remembering((text) => check(text, GRAMMARS.labelValue));

export const checkHttpHeader = (text: string): Complaints => check(text, GRAMMARS.httpHeader);
export const checkPercent = (text: string): Complaints => check(text, GRAMMARS.percent);
export const checkEnvName = (text: string): Complaints => [
  ...check(text, GRAMMARS.envName),
  ...checkNoParentDirectory(text),
];
/** A key of a ConfigMap or Secret; it can become a file's name. */
export const checkConfigKey = (text: string): Complaints => [
  ...check(text, GRAMMARS.configKey),
  ...checkNoParentDirectory(text),
];

function checkNoParentDirectory(text: string): Complaints {
  if (text === '.') return ["must not be '.'"];
  if (text === '..') return ["must not be '..'"];
  return text.startsWith('..') ? ["must not start with '..'"] : [];
}

/** A name, or a DNS subdomain, a slash and a name: keys of labels and annotations, finalizers, extended resources. */
export const checkQualifiedName = remembering((text) => {
  const parts = text.split('/');
  if (parts.length > 2) {
    return [
      `a qualified name ${qualifiedName.complaint} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts[parts.length - 1] as string;
  return [...(parts.length === 2 ? checkPrefix(parts[0] as string) : []), ...checkNamePart(name)];
});

function checkPrefix(prefix: string): Complaints {
  if (prefix === '') return [`prefix part ${EMPTY}`];
  return checkSubdomain(prefix).map((complaint) => `prefix part ${complaint}`);
}

function checkNamePart(name: string): Complaints {
  const errors: string[] = [];
  if (name === '') errors.push(`name part ${EMPTY}`);
  else if (utf8Length(name) > 63) errors.push(`name part ${tooLong(63)}`);
  if (!qualifiedName.pattern.test(name)) errors.push(`name part ${qualifiedName.complaint}`);
  return errors;
}

/** A name that can stand between two slashes of a URL. */
export function checkPathSegment(text: string): Complaints {
  if (text === '.' || text === '..') return [`may not be '${text}'`];
  return ['/', '%'].filter((char) => text.includes(char)).map((char) => `may not contain '${char}'`);
}

/** What can be the start of a path segment: a prefix from which a name is generated. */
export function checkPathSegmentPrefix(text: string): Complaints {
  return ['/', '%'].filter((char) => text.includes(char)).map((char) => `may not contain '${char}'`);
}

/** A port's name as IANA allows it. */
export function checkPortName(text: string): Complaints {
  const errors: string[] = [];
  if (utf8Length(text) > 15) errors.push(tooLong(15));
  if (!/^[-a-z0-9]+$/.test(text)) errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(text)) errors.push('must contain at least one letter or number (a-z, 0-9)');
  if (text.includes('--')) errors.push('must not contain consecutive hyphens');
  if (text !== '' && (text.startsWith('-') || text.endsWith('-'))) errors.push('must not begin or end with a hyphen');
  return errors;
}

export const checkPortNumber = (port: number): Complaints =>
  port >= 1 && port <= 65535 ? [] : ['must be between 1 and 65535, inclusive'];

/** A user's or group's number. */
export const checkUserId = (id: number): Complaints =>
  id >= 0 && id <= 2147483647 ? [] : ['must be between 0 and 2147483647, inclusive'];

/** A generated name's prefix is checked as if it were complete: a trailing hyphen is about to be followed. */
export function maskTrailingHyphen(text: string): string {
  return text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text;
}
