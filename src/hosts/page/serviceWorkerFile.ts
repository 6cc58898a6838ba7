/** The service worker of the page: one file beside index.html, so that its scope is the page's folder. */
export const fileName = 'sw.js';
