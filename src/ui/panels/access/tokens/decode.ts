/** `abcdef.0123456789abcdef`: its id may be known, its secret not. */
export const bootstrapTokenId = (text: string): string | undefined =>
  /^([a-z0-9]{6})\.[a-z0-9]{16}$/.exec(text.trim())?.[1];
