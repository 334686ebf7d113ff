/** Identifies the file that a text was written into, to detect copies. */
import type { BigIntStats } from 'node:fs';

export interface FileIdentity {
  inode: string;
  /** Creation time in nanoseconds; 0 if the file system does not know it. */
  born: string;
}

export const fileIdentityOf = ({ ino, birthtimeNs }: BigIntStats): FileIdentity => ({
  inode: String(ino),
  born: String(birthtimeNs),
});
