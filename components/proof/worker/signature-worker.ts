import { answerSignatures } from "./remote-signatures";

globalThis.addEventListener("message", ({ ports: [port] }: MessageEvent<unknown>) => {
  if (port) answerSignatures(port);
});
