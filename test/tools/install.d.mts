export const root: string;
export function ensurePackages(): void;
export function findBrowser(): string | undefined;
export function ensureBrowser(): string;
export function ensureClients(): void;
