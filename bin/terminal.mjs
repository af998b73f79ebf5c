/** The one way to the terminal for everything in this folder and the command line: nothing of others reaches it as a control. */
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

/** Whether a person looks on, for whom a line can be written over. */
export const isTerminal = () => process.stdout.isTTY;

/** Takes the line back that was written last and not ended. */
export const eraseLine = () => void process.stdout.write("\r\u001B[2K");

/** Goes on when whoever reads our output has seen enough. */
export const outliveReaders = () => {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
};

/**
 * A stream to the terminal, for what others write as one.
 * @param {typeof writeOut} write
 */
export const streamTo = (write) => {
  const decoder = new StringDecoder("utf8");

  return new Writable({
    write: (/** @type {Buffer} */ chunk, _encoding, done) => write(decoder.write(chunk), () => done()),
    final: (done) => write(decoder.end(), () => done()),
  });
};
