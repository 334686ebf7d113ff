/** Which file a text was written into: a copy of that file is another one. */
import type { BigIntStats } from 'node:fs';

export interface FileIdentity {
  inode: string;
  /** When the file was made, in nanoseconds; 0 where the file system does not say. */
  born: string;
}

export const fileIdentityOf = ({ ino, birthtimeNs }: BigIntStats): FileIdentity => ({
  inode: String(ino),
  born: String(birthtimeNs),
});
