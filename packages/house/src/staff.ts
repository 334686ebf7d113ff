/** A house agent and its keys, made once by the parent. It has no other state. */
export interface StaffKey {
  actorId: string;
  publicKey: string;
  privateKey: string;
  /** X25519 in base64url, public and secret. */
  encryption: { x: string; d: string };
}

export interface BlobPlace {
  providerId: string;
  /** Plain HTTP, for use on this machine. */
  url: string;
  /** Over TLS, as the chain requires; null without TLS. */
  httpsUrl: string | null;
}

export interface Staff {
  verifiers: StaffKey[];
  requester: StaffKey;
  echo: StaffKey;
  /** One per store; its id is the `providerId`. */
  keepers: StaffKey[];
}

/** The only message to the house process. */
export interface StartHouse {
  kind: 'start';
  url: string;
  staff: Staff;
  places: BlobPlace[];
  /** Other stores that the operator trusts. */
  trustedStores?: readonly string[];
  /** Lifetime and renewal margin of beacons in heights; shorter in tests. */
  presence?: PresenceSpan;
}

export interface PresenceSpan {
  lifetime: number;
  margin: number;
}

/** Requests to the operator, and lines for the terminal. Results are on the chain. */
export type FromHouse =
  | { kind: 'ready' }
  | { kind: 'applied'; applicationId: string; independenceGroup: string }
  | { kind: 'short'; actorId: string; needs: number }
  | { kind: 'say'; text: string };
