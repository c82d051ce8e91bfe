/** Care of delete files: folding, dangling ones, repair. */
@NullMarked
package dev.narwhal.iceberg.rowdelete.maintenance;

import org.jspecify.annotations.NullMarked;
