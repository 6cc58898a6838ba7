/**
 * Stands in for the package `tough-cookie`, in which msw keeps cookies for the addresses that it answers. Clusters set
 * none, and the package is a quarter of what msw weighs.
 */
export class MemoryCookieStore {
  idx = {};
}

export class CookieJar {
  getCookiesSync(): readonly never[] {
    return [];
  }

  setCookie(): Promise<void> {
    return Promise.resolve();
  }
}

export const Cookie = { fromJSON: (): undefined => undefined };
