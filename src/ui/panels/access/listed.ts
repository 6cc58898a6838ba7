/** What a person lists, parted by spaces or commas. */
export const listed = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
