/** A row of a table that can be opened, as a selector. */
export const ROW = 'tr[tabindex="0"]';
