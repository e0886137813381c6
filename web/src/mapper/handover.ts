/** The document that the Inspect page hands over to a new map. It lives in memory alone: an address would be too short. */
import type { Format } from '../core/model';

export interface Handover {
  document: string;
  format: Format;
}

let waiting: Handover | null = null;

/** Called before going to `/app/maps/new`. */
export function handOver(document: string, format: Format): void {
  waiting = { document, format };
}

/** What was handed over, or null; it stays until a map has begun from it, so that Back and Forward find it. */
export function handedOver(): Handover | null {
  return waiting;
}

export function forgetHandover(): void {
  waiting = null;
}
