/** No control sequences from foreign text. */
import { Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { terminalText } from "../lib/terminal-text.mjs";

/**
 * @param {string} text
 * @param {() => void} [onWritten]
 */
export const writeOut = (text, onWritten) => void process.stdout.write(terminalText(text), onWritten);

/**
 * @param {string} text
 * @param {() => void} [onWritten]
 */
export const writeErr = (text, onWritten) => void process.stderr.write(terminalText(text), onWritten);

/** Returns whether lines can be overwritten. */
export const isTerminal = () => process.stdout.isTTY;

/** Erases the unfinished line. */
export const eraseLine = () => void process.stdout.write("\r\u001B[2K");

/** Keeps running after readers close our output. */
export const outliveReaders = () => {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
};

/**
 * Stream to the terminal.
 * @param {typeof writeOut} write
 */
export const streamTo = (write) => {
  const decoder = new StringDecoder("utf8");

  return new Writable({
    write: (/** @type {Buffer} */ chunk, _encoding, done) => write(decoder.write(chunk), () => done()),
    final: (done) => write(decoder.end(), () => done()),
  });
};
