export { callOff, placeOf, writerLock } from './peers.ts';
export type { Opened, Seat, SeatOptions } from './seat.ts';
export { takeSeat } from './seat.ts';
