import type { BigIntStats } from 'node:fs';

export interface FileIdentity {
  inode: string;
  /** Nanoseconds; 0 if the file system does not record birth times. */
  born: string;
}

export const fileIdentityOf = ({ ino, birthtimeNs }: BigIntStats): FileIdentity => ({
  inode: String(ino),
  born: String(birthtimeNs),
});
