/** How long a token may last, in seconds; the server gives none for less than ten minutes. */
export const LIFETIMES = [
  { value: '600', label: '10 minutes' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
] as const;
