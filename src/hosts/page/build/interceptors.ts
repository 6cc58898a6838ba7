/**
 * Replaces the parts of msw that intercept the page's WebSocket, XMLHttpRequest and fetch. Here only the service worker
 * intercepts requests; without one, intercept.ts does.
 */
class IdleInterceptor {
  /** Whether it has anything to do here. */
  predicate(): boolean {
    return false;
  }

  apply(): void {}

  dispose(): void {}

  on(): this {
    return this;
  }

  once(): this {
    return this;
  }

  off(): this {
    return this;
  }

  removeAllListeners(): this {
    return this;
  }
}

export {
  IdleInterceptor as FetchInterceptor,
  IdleInterceptor as WebSocketClientConnection,
  IdleInterceptor as WebSocketInterceptor,
  IdleInterceptor as WebSocketServerConnection,
  IdleInterceptor as XMLHttpRequestInterceptor,
};
