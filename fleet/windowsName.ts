/** Device names that no file or folder can have on Windows, with an extension or without: `con`, `nul.v2`. */
const device = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Whether Windows, where some will have their clone, cannot store a file or folder of this name. */
export function isWindowsDevice(name: string): boolean {
  return device.test(name);
}
