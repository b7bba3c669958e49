/** The workload format: lines of JSON, each one volume event, read with every fault named. */
@NullMarked
package dev.evenkeel.app.workload;

import org.jspecify.annotations.NullMarked;
