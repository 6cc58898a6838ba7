/**
 * Stands in for the parts of msw that take over the page's own WebSocket, XMLHttpRequest and fetch. Here only the service
 * worker takes requests over; where there is none, intercept.ts has a way of its own.
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
