import type { ResourceValidationPolicy } from "@pulumi/policy";

import { checkEachKnown } from "./checkEachKnown.ts";
import { type CommittedObject, eachCommittedFile } from "./committedFiles.ts";
import { defined } from "../values/maps.ts";
import { asMap, asText, type PlainMap } from "./plainValue.ts";
import type { About } from "./about.ts";
import { gitFilesType, isFluxConfiguration, isGitFiles } from "./resourceTypes.ts";

/** What is known beside an object of a committed file. */
export interface FileContext {
  /** Below the cluster folder. */
  readonly path: string;
  /** Of the cluster; undefined for one without. */
  readonly stage: string | undefined;
  /** Of the fleet's repository, as the files are committed to it. */
  readonly repository: string;
  readonly settings: PlainMap;
}

/** Says what is wrong with an object: what follows its name in the message. A list where that is several things. */
export type CheckObject = (
  object: CommittedObject,
  context: FileContext,
) => string | readonly string[] | undefined;

/** A policy on each object in the committed files, patches of apps left out: these hold a part of an object. */
export function filePolicy({ check, ...about }: About & { readonly check: CheckObject }) {
  return {
    ...about,
    onlyOf: gitFilesType,
    validateResource: (args, report) => {
      const { type, name, props } = args;
      if (!isGitFiles(type)) return;
      const settings = args.getConfig<PlainMap>();
      const stage = asText(asMap(props["delivery"])?.["stage"]);
      const repository = asText(props["repository"]) ?? "";
      checkEachKnown(
        eachCommittedFile(props, ({ path, content, isPatch }) => {
          // One that cannot be read is a violation of no-plain-text-secret, and said there.
          if ("fault" in content || isPatch()) return;
          for (const object of content.objects) {
            for (const fault of [check(object, { path, stage, repository, settings }) ?? []].flat())
              report(`${placeOf(name, { path, object })}: ${fault}`);
          }
        }),
      );
    },
  } as const satisfies ResourceValidationPolicy & About;
}

/** What is to be judged of a Flux configuration of Azure, each by itself: one may be unknown in a preview. */
export type ConfigurationChecks = (
  props: PlainMap,
  settings: PlainMap,
) => readonly (() => string | readonly string[] | undefined)[];

/** The same policy, which judges the objects that Azure makes of a Flux configuration too. */
export function andConfigurations(
  inFiles: ReturnType<typeof filePolicy>,
  checksOf: ConfigurationChecks,
): ResourceValidationPolicy & About {
  const { name, description, why, enforcementLevel, configSchema } = inFiles as About;
  return {
    ...defined({ name, description, why, enforcementLevel, configSchema }),
    validateResource: (args, report) => {
      const { type, props } = args;
      if (!isFluxConfiguration(type)) return inFiles.validateResource(args, report);
      const title = `FluxConfiguration '${args.name}'`;
      checkEachKnown(
        checksOf(props, args.getConfig<PlainMap>()).map((faultsOf) => ({
          about: title,
          check: () => {
            for (const fault of [faultsOf() ?? []].flat()) report(`${title}: ${fault}`);
          },
        })),
      );
    },
  };
}

/** An object with the file that it stands in. */
export interface PlacedObject {
  readonly path: string;
  readonly object: CommittedObject;
}

/** What a check of a whole folder is given. */
export interface FolderContext {
  readonly stage: string | undefined;
  readonly settings: PlainMap;
}

/** What is wrong with an object of a folder. */
export interface FolderFault {
  readonly at: PlacedObject;
  readonly fault: string;
}

/** Says what is wrong with objects of a folder. */
export type CheckFolder = (
  objects: readonly PlacedObject[],
  context: FolderContext,
) => readonly FolderFault[];

/** A policy on all objects of a cluster together. Files that are not known yet are left out, and said to be. */
export function folderPolicy({ check, ...about }: About & { readonly check: CheckFolder }) {
  return {
    ...about,
    onlyOf: gitFilesType,
    validateResource: (args, report) => {
      const { type, name, props } = args;
      if (!isGitFiles(type)) return;
      const objects: PlacedObject[] = [];
      let unknown: unknown;
      try {
        checkEachKnown(
          eachCommittedFile(props, ({ path, content, isPatch }) => {
            if ("fault" in content || isPatch()) return;
            for (const object of content.objects) objects.push({ path, object });
          }),
        );
      } catch (error) {
        unknown = error;
      }
      const context = {
        stage: asText(asMap(props["delivery"])?.["stage"]),
        settings: args.getConfig<PlainMap>(),
      };
      for (const { at, fault } of check(objects, context)) report(`${placeOf(name, at)}: ${fault}`);
      if (unknown !== undefined) throw unknown as Error;
    },
  } as const satisfies ResourceValidationPolicy & About;
}

/** How a message names an object in the files of the GitFiles of that name. */
export function placeOf(name: string, { path, object }: PlacedObject): string {
  return `GitFiles '${name}', file '${path}', ${object.title}`;
}
