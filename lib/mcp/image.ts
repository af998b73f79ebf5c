import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";
import { err, ok, type Result } from "@/lib/result";

export const ENGINES = ["podman", "docker"] as const;
export type Engine = (typeof ENGINES)[number];

const PART = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const HOST = "[a-z0-9](?:[a-z0-9.-]{0,200}[a-z0-9])?";
const NAME = String.raw`(?:${HOST}(?::\d{1,5})?\/)?${PART}(?:\/${PART}){0,8}`;
const TAG = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}";
const DIGEST = "sha256:[0-9a-f]{64}";

const PINNED = new RegExp(`^(?:(?:${NAME})@)?${DIGEST}$`);
const LOOSE = new RegExp(`^(?:${NAME})(?::${TAG})?$`);
const BOTH = new RegExp(`^(${NAME}):${TAG}@(${DIGEST})$`);

const MOST_CHARS = 300;

type ImageReference = { readonly image: string; readonly isPinned: boolean };

/** Parses `NAME@sha256:…`, `sha256:…` or `NAME:TAG`. */
export const parseImage = (text: string): Result<ImageReference, string> => {
  const [, name, digest] = BOTH.exec(text) ?? [];
  const image = name === undefined ? text : `${name}@${digest}`;
  if (image.length <= MOST_CHARS && PINNED.test(image)) return ok({ image, isPinned: true });
  if (image.length <= MOST_CHARS && LOOSE.test(image)) return ok({ image, isPinned: false });

  return err(`${text.slice(0, 200)} is no container image. Use NAME@sha256:DIGEST.`);
};

export const imageRunsSchema = z.strictObject({
  kind: z.literal("image"),
  engine: z.enum(ENGINES),
  image: z.string().max(MOST_CHARS).regex(PINNED),
  /** Names its layers. */
  config: hexDigestSchema,
});

const OF_ENGINES =
  /^(?:CONTAINERS?_.*|DOCKER_.*|PODMAN_.*|BUILDAH_.*|STORAGE_(?:DRIVER|OPTS)|REGISTRY_AUTH_FILE|XDG_.*|DBUS_.*|NOTIFY_SOCKET|LISTEN_(?:FDS|PID|FDNAMES)|GO(?:DEBUG|GC|MAXPROCS|MEMLIMIT|TRACEBACK|COVERDIR)|LANG|LC_.*|TZ|USER|LOGNAME)$/;

type ImageProgram = {
  readonly runs: z.infer<typeof imageRunsSchema>;
  readonly env: Readonly<Record<string, string>>;
  readonly placeholders: Readonly<Record<string, { readonly type: string }>>;
  readonly network?: "direct";
  readonly hosts?: readonly string[];
};

export const listImageFaults = ({ runs, env, placeholders, network, hosts }: ImageProgram): readonly string[] => [
  ...(network === "direct" ? ["A container reaches named hosts only: use --allow-host."] : []),
  ...(runs.engine === "docker" && (hosts || Object.values(placeholders).some(({ type }) => type === "host"))
    ? ["Named hosts of a container need podman: docker's containers get no network."]
    : []),
  ...(Object.values(placeholders).some(({ type }) => type === "folder")
    ? ["A container has no folders of this machine: leave --folder out."]
    : []),
  ...Object.keys(env).flatMap((name) => (OF_ENGINES.test(name) ? [`The variable ${name} would change the container engine.`] : [])),
];
