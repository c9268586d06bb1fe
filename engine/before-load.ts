/** [engine] What can be told of an engine's options without loading: ranges, folders of this machine, what the config allows, whether the driver is there. Opens no device. */
import { checkDriver } from "../runtime/index.ts";
import { checkOptions, chooseContext, type EngineOptions } from "./config.ts";
import { checkModelOptions } from "./model-options.ts";
import { checkMethods } from "./model-weights.ts";
import { findFamily } from "./models/catalogue.ts";
import { findLocalFolder } from "./weights/hub.ts";
import { readModelConfig } from "./weights/model-config.ts";

/**
 * Throws what `loadModel` would, before anybody waits for it. A hub id is taken for one that the hub has, and nothing of its config is known.
 * @throws ModelError TW4104 and TW42xx for options, folders and configs, DeviceError TW3200 for a driver that does not exist, and its own where
 * CUDA or HIP are named and are not there
 */
export async function checkBeforeLoad(options: EngineOptions): Promise<void> {
  checkOptions(options);
  const folder = findLocalFolder(options);
  if (folder !== undefined) checkFolder(options, folder);
  if (typeof options.device !== "object") await checkDriver(options.device);
}

function checkFolder(options: EngineOptions, folder: string): void {
  const config = readModelConfig(folder);
  const family = findFamily(config.architectures, options.families);
  const maxModelLen = chooseContext(options.maxModelLen, config);
  if (options.device !== "null") checkMethods(options, folder, config);
  checkModelOptions(options, family.configure(config, maxModelLen));
}
