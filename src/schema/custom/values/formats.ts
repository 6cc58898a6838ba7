/** Formats that a schema can require of a text; unknown formats are ignored. */
import { canonicalTime, isIPv6, parseAddress, parseBlock, parseDuration } from '../../values/index.ts';

type Check = (text: string) => boolean;

const matches =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text);

const HEX = '[0-9a-f]';
/** The hyphens of a UUID may be left out. */
const uuid = (third: string, fourth: string): Check =>
  matches(new RegExp(`^${HEX}{8}-?${HEX}{4}-?${third}-?${fourth}-?${HEX}{12}$`, 'i'));

const isIsbn10: Check = (text) => {
  const digits = text.replace(/[\s-]/g, '');
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, i) => total + (10 - i) * (digit === 'X' ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
};

const isIsbn13: Check = (text) => {
  const digits = text.replace(/[\s-]/g, '');
  return /^\d{13}$/.test(digits) && weighted(digits) % 10 === 0;
};

const weighted = (digits: string): number =>
  [...digits].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0);

const CARD =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|(?:222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11}|6[27]\d{14})$/;

const isCreditCard: Check = (text) => {
  const digits = text.replace(/\D/g, '');
  return (
    CARD.test(digits) && [...digits].reverse().reduce((sum, digit, i) => sum + luhn(Number(digit), i), 0) % 10 === 0
  );
};

const luhn = (digit: number, place: number): number => {
  const value = place % 2 === 0 ? digit : digit * 2;
  return value > 9 ? value - 9 : value;
};

/** A valid request target: an absolute URI or an absolute path. */
const isUri: Check = (text) =>
  !/[\u0000-\u0020\u007f]|%(?![0-9a-f]{2})/i.test(text) && /^(?:\/|[a-z][a-z0-9+.-]*:)/i.test(text);

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-\\u0080-\\u{10ffff}]+";
const MAILBOX = `(?:${ATOM}(?:\\.${ATOM})*|"(?:[^"\\\\\\r\\n]|\\\\.)*")@${ATOM}(?:\\.${ATOM})*`;
const EMAIL = new RegExp(`^\\s*(?:${MAILBOX}|[^<>@"]*(?:"[^"]*")?[^<>@"]*<${MAILBOX}>)\\s*$`, 'u');

const HOST_PART = /^[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?$/u;

const isHostname: Check = (text) => {
  const parts = text.split('.');
  if (text.length > 255 || !parts.every((part) => HOST_PART.test(part))) return false;
  return parts.length === 1 || /^[a-zA-Z\p{L}]{2,63}$/u.test(parts[parts.length - 1] as string);
};

const isMac: Check = (text) => {
  const groups = /^(?:[0-9a-f]{2}(?:([:-])(?:[0-9a-f]{2}\1)*[0-9a-f]{2})|[0-9a-f]{4}(?:\.[0-9a-f]{4})+)$/i.test(text);
  return groups && [6, 8, 20].includes(text.replace(/[^0-9a-f]/gi, '').length / 2);
};

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A time of day with its offset, or without one where only a date is meant. */
const isDateTime: Check = (text) =>
  text !== '' &&
  (canonicalTime(text) !== undefined || canonicalTime(text.replace(/(\d{2})(\d{2})$/, '$1:$2')) !== undefined);

const isDate: Check = (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && canonicalTime(`${text}T00:00:00Z`) !== undefined;

const LONG_DURATION =
  /^(?:\d+\s*(?:nanoseconds?|nanos?|ns|microseconds?|micros?|u[sS]|µs|us|milliseconds?|millis?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|wks?|w)\s*)+$/;

const isIPv4: Check = (text) => !text.includes(':') && parseAddress(text) !== undefined;

const isIPv6Text: Check = (text) => {
  const address = text.includes(':') ? parseAddress(text) : undefined;
  // An IPv4 address in IPv6 form counts as both.
  return address !== undefined && (isIPv6(address) || text.includes(':'));
};

const FORMATS: ReadonlyMap<string, Check> = new Map(
  Object.entries({
    bsonobjectid: matches(/^[0-9a-f]{24}$/i),
    uri: isUri,
    email: matches(EMAIL),
    hostname: isHostname,
    ipv4: isIPv4,
    ipv6: isIPv6Text,
    cidr: (text: string) => parseBlock(text) !== undefined,
    mac: isMac,
    uuid: uuid(`${HEX}{4}`, `${HEX}{4}`),
    uuid3: uuid(`3${HEX}{3}`, `${HEX}{4}`),
    uuid4: uuid(`4${HEX}{3}`, `[89ab]${HEX}{3}`),
    uuid5: uuid(`5${HEX}{3}`, `[89ab]${HEX}{3}`),
    isbn: (text: string) => isIsbn10(text) || isIsbn13(text),
    isbn10: isIsbn10,
    isbn13: isIsbn13,
    creditcard: isCreditCard,
    ssn: matches(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
    hexcolor: matches(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i),
    rgbcolor: matches(
      /^rgb\(\s*(?:(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*){2}(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*\)$/,
    ),
    byte: matches(BASE64),
    password: () => true,
    date: isDate,
    duration: (text: string) => parseDuration(text) !== undefined || LONG_DURATION.test(text),
    datetime: isDateTime,
  }),
);

/** The check for a format; undefined where the format is not known. Hyphens in its name make no difference. */
export const formatCheck = (format: string): Check | undefined => FORMATS.get(format.replaceAll('-', ''));
