/**
 * Stands in for the package `@msw/url`, by which msw compares addresses with patterns that are texts. intercept.ts has a
 * regular expression, which needs none of it.
 */
export function matchPattern(pattern: string): never {
  throw new Error(`"${pattern}" is a text: the build leaves out what would read it; use a regular expression`);
}
