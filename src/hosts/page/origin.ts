/** Missing features of the page's origin; each sentence says what does not work. */
export interface OriginReport {
  readonly secure: boolean;
  readonly lacking: readonly string[];
}

/** Whether clusters can be kept in this browser and shared between its tabs. */
export function canKeep(): boolean {
  return 'indexedDB' in globalThis && 'locks' in navigator;
}

export function canIntercept(): boolean {
  return 'serviceWorker' in navigator;
}

/** Whether a control plane can run at all: it signs tokens and certificates. */
export function canSign(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

/** Browsers withhold much from pages that came over plain http from another machine. */
export function inspectOrigin(): OriginReport {
  const lacking: string[] = [];
  if (!canIntercept()) {
    lacking.push(
      'No service workers: requests do not show in the network tools, and the page needs the network each time.',
    );
  }
  if (!canKeep()) {
    lacking.push('No Web Locks: clusters live in the memory of this tab only, and a reload loses them.');
  }
  if (!canSign()) {
    lacking.push(
      'No Web Crypto: a control plane cannot sign its tokens and certificates, so none can be started here.',
    );
  }
  return { secure: globalThis.isSecureContext, lacking };
}
