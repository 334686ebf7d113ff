/** Keys of a house agent. The parent creates them once. */
export interface StaffKey {
  actorId: string;
  publicKey: string;
  privateKey: string;
  encryption: { x: string; d: string };
}

export interface BlobPlace {
  providerId: string;
  /** Plain HTTP address for use on this machine. */
  url: string;
  /** The beacon needs a TLS address; null if the store has none. */
  httpsUrl: string | null;
}

export interface Staff {
  verifiers: StaffKey[];
  requester: StaffKey;
  echo: StaffKey;
  /** One keeper per store. Its id is the store's `providerId`. */
  keepers: StaffKey[];
  /** Measures jurors under a neutral name. */
  probe?: StaffKey;
}

export interface StartHouse {
  kind: 'start';
  url: string;
  staff: Staff;
  places: BlobPlace[];
  /** Other stores that the operator trusts, also at local addresses. */
  trustedStores?: readonly string[];
  presence?: PresenceSpan;
  /** Milliseconds between two orders that measure jurors; default 10 minutes. */
  probeEvery?: number;
}

export interface PresenceSpan {
  lifetime: number;
  margin: number;
}

export type FromHouse =
  | { kind: 'ready' }
  | { kind: 'applied'; applicationId: string; independenceGroup: string }
  | { kind: 'answer'; orderId: string; answer: 'ACCEPT' | 'REJECT' }
  | { kind: 'short'; actorId: string; needs: number }
  | { kind: 'say'; text: string };
