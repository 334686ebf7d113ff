/** Who works in the house of a devnet, and what they and the process that starts them tell each other. */

/** An agent of the house with its keys: made once by the process that starts the house, and all the state it has. */
export interface StaffKey {
  actorId: string;
  /** SPKI PEM. */
  publicKey: string;
  /** PKCS #8 PEM. */
  privateKey: string;
  /** X25519, base64url without padding: what others seal to, and its secret. */
  encryption: { x: string; d: string };
}

/** A service that keeps blobs, under the name of the agent that vouches for it. */
export interface BlobPlace {
  providerId: string;
  /** Plain HTTP, for this machine. */
  url: string;
  /** The same over TLS, as the chain wants it; null where it speaks none. */
  httpsUrl: string | null;
}

export interface Staff {
  verifiers: StaffKey[];
  requester: StaffKey;
  echo: StaffKey;
  /** A key for each place that keeps blobs; its id is the `providerId`. */
  keepers: StaffKey[];
}

/** The first and only message to the process of the house. */
export interface StartHouse {
  kind: 'start';
  /** Base address of the node. */
  url: string;
  staff: Staff;
  places: BlobPlace[];
  /** Origins of other stores that the operator trusts. */
  trustedStores?: readonly string[];
  /** Heights that its beacons last, and left over at which they are renewed; tests have shorter ones. */
  presence?: PresenceSpan;
}

export interface PresenceSpan {
  lifetime: number;
  margin: number;
}

/** What the house asks of the operator, or tells the person at the terminal. What comes of it stands on the chain. */
export type FromHouse =
  | { kind: 'ready' }
  | { kind: 'applied'; applicationId: string; independenceGroup: string }
  | { kind: 'short'; actorId: string; needs: number }
  | { kind: 'say'; text: string };
