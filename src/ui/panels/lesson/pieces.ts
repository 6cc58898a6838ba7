/** The pieces of a word of a command between which its line may be broken: after commas and slashes. */
export const piecesOf = (word: string): readonly string[] => word.split(/(?<=[,/])/);
