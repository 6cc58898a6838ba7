/** Whether a character takes two columns in a face of one width: East Asian wide and full width forms, and emoji. */
export function isWide(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x1100) return false;
  return (
    code <= 0x115f ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    code >= 0x1f300
  );
}
