/** The certificate library, with the polyfill that it needs before it. */
import './polyfill.ts';
export * as x509 from '@peculiar/x509';
