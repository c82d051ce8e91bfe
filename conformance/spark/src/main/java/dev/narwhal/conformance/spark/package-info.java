/** Spark with Iceberg, asked over pipes. */
package dev.narwhal.conformance.spark;
