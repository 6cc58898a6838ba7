/** What writes in a way of its own, or only shows something: the commands that do the same, or why none does. */
export type OwnWay = { readonly label: string; readonly note?: string } & (
  { readonly commands: () => readonly string[] } | { readonly none: string }
);
