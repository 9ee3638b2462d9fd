/** Every message that `recognize` parses contains one of these texts. */
const DRIVER_FAULT =
  /Xid|GPU at|fallen off the bus|The NVIDIA GPU|RmInitAdapter failed|NVSwitch (?:non-)?fatal error/;
/** Start of the text of the driver, or of the fabric manager. */
const DRIVER = /NVRM: |nvidia-nvswitch\d*: |detected NVSwitch (?:non-)?fatal error/;

/** Returns whether an entry may contain a message that `recognize` parses. This test is cheaper than parsing the time. */
export function mayBeFault(text: string): boolean {
  return DRIVER_FAULT.test(text);
}

/** Returns whether a text within JSON is a message of the driver that `recognize` parses. */
export function isDriverFault(text: string): boolean {
  return mayBeFault(text) && DRIVER.test(text);
}

/**
 * Splits a line into the prefix of the logger and the message of the driver. Text of a program after the message is dropped. A line
 * without a message of the driver counts as a message.
 */
export function splitDriverText(text: string): { prefix: string; message: string } {
  const begin = DRIVER.exec(text)?.index ?? 0;
  const rest = text.slice(begin);
  // klog of node-problem-detector prints Go structures: &{Events:[{Message:NVRM: Xid …}] Conditions:[]}
  const end = text[begin - 1] === '"' ? rest.indexOf('"') : rest.search(/\}\] Conditions:\[/);
  const message = end === -1 ? rest : rest.slice(0, end);
  // /dev/kmsg and dmesg escape the line feeds of a message.
  return { prefix: text.slice(0, begin), message: message.replaceAll('\\x0a', '\n') };
}
