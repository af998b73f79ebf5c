/** Checks signatures on a thread of its own: the browser has no other one for them. */
import { answerSignatures } from "./remote-signatures";

globalThis.addEventListener("message", ({ ports: [port] }: MessageEvent<unknown>) => {
  if (port) answerSignatures(port);
});
