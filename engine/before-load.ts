/** [engine] What can be told of an engine's options without loading: ranges, folders of this machine, the config, the driver's name. Opens no device. */
import { checkDriverName } from "../runtime/index.ts";
import { checkOptions, type EngineOptions } from "./config.ts";
import { findFamily } from "./models/catalogue.ts";
import { findLocalFolder } from "./weights/hub.ts";
import { readModelConfig } from "./weights/model-config.ts";

/**
 * Throws what `loadModel` would, before anybody waits for it. A hub id is taken for one that the hub has.
 * @throws ModelError TW42xx for options, folders and configs, DeviceError TW3200 for a driver that does not exist
 */
export function checkBeforeLoad(options: EngineOptions): void {
  checkOptions(options);
  const folder = findLocalFolder(options);
  if (folder !== undefined) findFamily(readModelConfig(folder).architectures, options.families);
  if (typeof options.device !== "object") checkDriverName(options.device);
}
