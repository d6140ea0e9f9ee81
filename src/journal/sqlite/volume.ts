import { statfs } from "node:fs/promises";

/** `f_type` of network, host-shared and user-space file systems on Linux: statfs(2). */
const remoteTypes: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB2
  0x01021997, // 9P
  0x65735546, // FUSE
  0x00c36400, // Ceph
  0x5346414f, // AFS
  0x786f4256, // VirtualBox
  0x0bd00bd0, // Lustre
]);

/** Whether the memory that WAL mode shares between processes may not work there, as on volumes of another machine. */
export async function isRemote(directory: string): Promise<boolean> {
  if (process.platform === "win32") return directory.startsWith("\\\\");
  if (process.platform !== "linux") return false;
  // Signed on some platforms.
  return remoteTypes.has((await statfs(directory)).type >>> 0);
}
